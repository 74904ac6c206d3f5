import { each, withDefault } from './members.ts';
import type { Library, Member } from './schema.ts';

const read: Member = { returns: 'Promise<any>', effect: { env: 'fs', op: 'read', key: 0 } };
const write: Member = { returns: 'Promise<any>', effect: { env: 'fs', op: 'write', key: 0 } };
const computed: Member = { returns: 'Promise<any>', effect: { env: 'cpu', op: 'unknown' } };
const whole = withDefault({ Workbook: { construct: { returns: 'Workbook' } } });

/** Workbooks: of files, or of bytes in memory, which only computes. */
export const exceljs: Library = {
  name: 'exceljs',
  modules: ['exceljs'],
  verifiedWith: '4.4.0',
  exports: whole.exports,
  types: {
    Namespace: whole.namespace,
    Workbook: { members: each('xlsx csv', { type: 'Form' }) },
    Form: {
      members: {
        readFile: read,
        writeFile: write,
        ...each('load writeBuffer', computed),
      },
    },
  },
};
