// What more than one part of the API says to clients.

export const noSuchOperation = 'No operation has this path and method.';

export const tooManyRequests = 'Too many requests. Try again later.';
