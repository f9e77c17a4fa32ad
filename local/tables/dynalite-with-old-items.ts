import type { RequestListener } from 'node:http';
import plainDynalite from 'dynalite';
import db from 'dynalite/db/index.js';
import updateItem from 'dynalite/validations/updateItem.js';
import { withTransactions } from './transactions.ts';

// dynalite 4 drops UpdateItem's ReturnValuesOnConditionCheckFailure, with which DynamoDB returns
// the item that failed a condition. dynalite takes the parameters that it knows from one object,
// and checks every condition by one function, so both are extended here.
updateItem.types.ReturnValuesOnConditionCheckFailure = {
  type: 'String',
  enum: ['ALL_OLD', 'NONE'],
};

const { checkConditional } = db;
db.checkConditional = (input, oldItem) => {
  const error = checkConditional(input, oldItem);
  if (error && input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD') {
    error.body.Item = oldItem;
  }
  return error;
};

export const dynalite: typeof plainDynalite = (options) => {
  const server = plainDynalite(options);
  const [listener] = server.listeners('request') as [RequestListener];
  return server.off('request', listener).on('request', withTransactions(listener));
};
