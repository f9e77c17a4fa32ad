import { expect, test } from '@jest/globals';
import { columnsNamed, separatorIn } from '../../../../ops/inventory/files/csv-header.ts';

test.each([
  ['petId,quantity,status', ','],
  ['petId;quantity;status', ';'],
  ['petId\tquantity\tstatus', '\t'],
  ['petId', ','],
  ['', ','],
  ['petId;"a,b";quantity;status', ';'],
  ['petId,"a;b",quantity,status', ','],
  ['petId,quantity;status', ','],
])('the separator in %j is %j', (line, separator) => {
  expect(separatorIn(line)).toBe(separator);
});

test.each([
  [
    ['petId', 'quantity', 'status'],
    ['petId', 'quantity', 'status'],
  ],
  [
    ['status', 'petId', 'quantity'],
    ['status', 'petId', 'quantity'],
  ],
  [
    ['PETID', 'Quantity', 'sTATUS'],
    ['petId', 'quantity', 'status'],
  ],
  [
    [' petId', 'quantity ', '\tstatus '],
    ['petId', 'quantity', 'status'],
  ],
])('%j name the columns %j', (names, columns) => {
  expect(columnsNamed({ names, line: 1, separator: ',' })).toEqual(columns);
});

const rule = 'The columns must be petId, quantity and status, in any order.';
const begin =
  'a CSV file must begin with the names of its columns, petId, quantity and status, ' +
  'separated by commas, semicolons or tabs. It begins with';

test.each([
  [['petId', 'quantity'], `status is missing. ${rule}`],
  [['status'], `petId is missing; quantity is missing. ${rule}`],
  [
    ['petId', 'quantity', 'status', 'colour', 'Größe'],
    `unknown column: colour; unknown column: Größe. ${rule}`,
  ],
  [['petId', 'qty', 'status'], `unknown column: qty; quantity is missing. ${rule}`],
  [['petId', 'quantity', 'status', ''], `column 4 has no name. ${rule}`],
  [['petId', 'petid', 'quantity', 'status'], `petId is there 2 times. ${rule}`],
  [['1', '5', 'sold'], `${begin} "1,5,sold".`],
  [['petId|quantity|status'], `${begin} "petId|quantity|status".`],
])('%j are rejected, in the line where they are', (names, reason) => {
  expect(() => columnsNamed({ names, line: 3, separator: ',' })).toThrow(
    expect.objectContaining({ code: 'invalid', message: `Line 3: ${reason}` }),
  );
});
