/**
 * Where the pages of this repository can be read, such as
 * `https://github.com/OWNER/REPOSITORY/blob/main/`. E-mails of alarms then have whole links.
 */
const repository = '';

/** Returns the link to a page, such as `docs/runbook.md#servererrors`. */
export const pageLink = (page: string): string => repository + page;
