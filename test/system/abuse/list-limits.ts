/** How long a list may take, and how many lists may run at a time, in the stage of these tests. */
export const listSeconds = 30;
export const concurrentLists = 10;
