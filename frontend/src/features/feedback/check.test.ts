import { describe, expect, test } from 'vitest';
import { isContact, rejectedPictures, wrongTexts } from './check';

const whole = { subject: 'A transfer', content: 'It is late.', contact: 'a@b.co' };

describe('texts', () => {
  test.each([
    [{}, []],
    [{ subject: ' ' }, ['subject']],
    [{ subject: 'ش'.repeat(100) }, []],
    [{ subject: 'a'.repeat(101) }, ['subject']],
    [{ subject: '😀'.repeat(100) }, []],
    [{ content: '' }, ['content']],
    [{ content: 'a'.repeat(5_001) }, ['content']],
    [{ contact: 'me' }, ['contact']],
    [{ contact: `${'a'.repeat(100)}@b.co` }, ['contact']],
    [{ subject: '', content: '', contact: '' }, ['subject', 'content', 'contact']],
  ])('%j: %j', (change, fields) => {
    expect(wrongTexts({ ...whole, ...change })).toEqual(fields);
  });
});

test.each([
  ['a@b.co', true],
  [' name.last@mail.example.sa ', true],
  ['a@b', false],
  ['a b@c.co', false],
  ['+966 51 234 5678', true],
  ['0512345678', true],
  ['٠٥١٢٣٤٥٦٧٨', true],
  ['(011) 234-5678', true],
  ['123456', false],
  ['123456789012345678', false],
  ['call me', false],
  ['', false],
])('contact %s: %s', (text, expected) => {
  expect(isContact(text)).toBe(expected);
});

test.each([
  [{ fields: { 'files[1]': 'is smaller than 500 KB' } }, false, [undefined, 'small', undefined]],
  [{ fields: { 'files[0]': 'is larger than 5 MB' } }, false, ['large', undefined, undefined]],
  [{ fields: { 'files[2]': 'is no JPEG, PNG or BMP' } }, false, [undefined, undefined, 'kind']],
  [{ fields: { files: 'must be at most 3' } }, true, [undefined, undefined, undefined]],
  [{ fields: { body: 'broke off', 'files[9]': 'x' } }, false, [undefined, undefined, undefined]],
  [{ fields: null }, false, [undefined, undefined, undefined]],
  [null, false, [undefined, undefined, undefined]],
])('the data %j rejects pictures: too many %s, errors %j', (data, hasTooMany, errors) => {
  expect(rejectedPictures(data)).toEqual({ hasTooMany, errors });
});
