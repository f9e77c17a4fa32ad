import { EventEmitter } from 'node:events';
import http from 'node:http';
import { crc32 } from 'node:zlib';
import { atEnd } from '../process/at-end.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface Answer {
  status: number;
  body: object;
}

/** A call that has arrived. An answer may come, or its connection is reset, or neither. */
export interface Call {
  operation: string;
  input: string;
  reply: (answer: Answer) => void;
  reset: () => void;
}

/**
 * Takes the place of Node's requests: what is sent arrives one to three milliseconds later, without a
 * connection. Call this before loading a function.
 */
export const simulatedNetwork = (time: VirtualTime) => {
  let receive: (call: Call) => void = () => {};
  const onItsWay = (act: () => void) => void time.sleep(1 + 2 * Math.random()).then(act);

  interface Options {
    headers: Record<string, string>;
    signal?: AbortSignal;
  }
  const request = ({ headers, signal }: Options): EventEmitter => {
    const sent = new EventEmitter();
    const operation = String(headers['x-amz-target']).replace(/^.*\./, '');
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
    const respond = ({ status: statusCode, body }: Answer) => {
      const bytes = Buffer.from(JSON.stringify(body));
      const checksum = { 'x-amz-crc32': String(crc32(bytes)) };
      const response = Object.assign(new EventEmitter(), { statusCode, headers: checksum });
      sent.emit('response', response);
      response.emit('data', bytes);
      response.emit('end');
    };
    const reply = (answer: Answer) => onItsWay(() => close(() => respond(answer)));
    const reset = () => onItsWay(() => fail(new Error('read ECONNRESET')));
    return Object.assign(sent, {
      end: (input: string) => onItsWay(() => receive({ operation, input, reply, reset })),
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
