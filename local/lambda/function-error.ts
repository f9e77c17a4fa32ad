/** The function threw, timed out, returned too much, or its process ended. */
export class FunctionError extends Error {
  override readonly name: string = 'FunctionError';
}

/** The event is larger than Lambda takes. */
export class EventTooLargeError extends FunctionError {}

/** The caller may not invoke the function. */
export class NotPermittedError extends FunctionError {}

/** All instances that there may be are busy. */
export class ThrottledError extends FunctionError {}
