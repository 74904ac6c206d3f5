import type { FileFacts } from '../file/file.ts';

/** What only tests use in place of the real thing, as its name, its file or a folder states. */
export function isStandIn({ place }: FileFacts, name = ''): boolean {
  return STAND_IN.test(name) || STAND_IN_PLACE.test(place);
}

const STAND_IN = /^(?:Dummy|Fake|Mock|Stub)(?![a-z])|(?:Dummy|Fake|Mock|Stub)$/;
const STAND_IN_PLACE =
  /(?:^|[\\/])(?:(?:__)?(?:fakes?|mocks?|stubs?|tests?)(?:__)?[\\/]|(?:fake|mock|stub)[-.]|[^\\/]+[-.](?:fake|mock|spec|stub|test)\.)/i;
