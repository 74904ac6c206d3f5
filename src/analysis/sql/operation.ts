export type Operation = 'read' | 'write' | 'sync' | 'unknown';
