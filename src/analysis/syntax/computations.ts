/**
 * Methods of arrays, strings, numbers, dates, maps, sets, buffers and URLs. They compute, whatever they are called on,
 * and their callbacks run before they return; what they change in memory is asked separately.
 */
const METHODS = new Set(
  (
    'at charAt charCodeAt codePointAt concat copyWithin endsWith entries every fill filter find findIndex findLast ' +
    'findLastIndex flat flatMap forEach includes indexOf join keys lastIndexOf localeCompare map match matchAll normalize ' +
    'padEnd padStart pop push reduce reduceRight repeat replace replaceAll reverse shift slice some sort splice split ' +
    'startsWith substr substring toFixed toISOString toJSON toLocaleDateString toLocaleString toLowerCase toPrecision ' +
    'toReversed toSorted toSpliced toString toUTCString toUpperCase trim trimEnd trimStart unshift valueOf values with ' +
    'getDate getDay getFullYear getHours getMilliseconds getMinutes getMonth getSeconds getTime getTimezoneOffset ' +
    'getUTCDate getUTCDay getUTCFullYear getUTCHours getUTCMinutes getUTCMonth getUTCSeconds setDate setFullYear setHours ' +
    'setMilliseconds setMinutes setMonth setSeconds setTime setUTCHours setUTCDate setUTCMonth has hasOwnProperty test exec'
  ).split(' '),
);

export function isComputation(method: string): boolean {
  return METHODS.has(method);
}
