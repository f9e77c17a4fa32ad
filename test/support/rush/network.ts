import { EventEmitter } from 'node:events';
import http from 'node:http';
import { crc32 } from 'node:zlib';
import { atEnd } from '../process/at-end.ts';
import type { VirtualTime } from './virtual-time.ts';

export type Answer = [status: number, body: object];

/** A call as it arrives. */
export interface Received {
  operation: string;
  body: string;
}

/** A connection on which an answer may come, or not. */
export interface Line {
  reply: (answer: Answer) => void;
  reset: () => void;
}

/**
 * Takes the place of Node's requests: what is sent arrives after some milliseconds, without a
 * connection. Call this before loading a function.
 */
export const simulatedNetwork = (time: VirtualTime) => {
  let receive: (call: Received, line: Line) => void = () => {};
  const afterItsWay = (act: () => void) => void time.sleep(1 + 2 * Math.random()).then(act);

  interface Options {
    headers: Record<string, string>;
    signal?: AbortSignal;
  }
  const request = ({ headers: sentHeaders, signal }: Options): EventEmitter => {
    const sent = new EventEmitter();
    const operation = String(sentHeaders['x-amz-target']).replace(/^.*\./, '');
    let isOpen = true;
    const close = (act: () => void) => {
      if (isOpen) {
        isOpen = false;
        act();
        sent.emit('close');
      }
    };
    const fail = (cause: Error) => close(() => sent.emit('error', cause));
    signal?.addEventListener('abort', () => fail(signal.reason));
    const respond = ([statusCode, body]: Answer) => {
      const bytes = Buffer.from(JSON.stringify(body));
      const headers = { 'x-amz-crc32': String(crc32(bytes)) };
      const response = Object.assign(new EventEmitter(), { statusCode, headers });
      sent.emit('response', response);
      response.emit('data', bytes);
      response.emit('end');
    };
    const line: Line = {
      reply: (answer) => afterItsWay(() => close(() => respond(answer))),
      reset: () => afterItsWay(() => fail(new Error('read ECONNRESET'))),
    };
    return Object.assign(sent, {
      end: (body: string) => afterItsWay(() => receive({ operation, body }, line)),
      destroy: () => close(() => {}),
    });
  };
  const { request: real } = http;
  Object.assign(http, { request });
  // Node's modules are the same for all test files of a worker.
  atEnd(() => Object.assign(http, { request: real }));

  return {
    /** Decides who receives what is sent. */
    connect: (receiver: typeof receive): void => {
      receive = receiver;
    },
  };
};
