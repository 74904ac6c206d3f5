import type { FileFacts } from '../file/file.ts';

/**
 * Folders of what is run by hand, and none of routes that are named so. A project may itself lie in one named like the
 * latter, so those count one level deep; one-offs, a REPL and tools (of agents, of an MCP server) among a program's sources
 * are parts of it.
 */
const SCRIPT_FOLDER =
  /(?:^|[\\/])(?<![\\/](?:controllers|handlers|resolvers|routes)[\\/])(?:(?:alterations?|backfills?|codemods?|migrations?(?:[-_]scripts)?|[\w-]+[-_]migrations|scripts?|seeders?|seeding|seeds?)[\\/](?:[^\\/]+[\\/]){0,3}|(?:bench(?:marks?)?|bin|cli|examples?|(?<![\\/](?:app|lib|server|src)[\\/])(?:one-?offs?|repl)|(?<![\\/](?:app|lib|server|src)[\\/](?:[^\\/]+[\\/])*)tools?|tooling)[\\/](?:[^\\/]+[\\/])?|packages[\\/][\w-]+-cli[\\/](?:[^\\/]+[\\/])*)[^\\/]+$/i;
const SCRIPT_NAME =
  /(?:^|[\\/])(?:backfill(?:-[\w-]+)?|cli|gruntfile|gulpfile|migrate(?:-[\w-]+)?|migrations?|[\w-]+-(?:backfill|migration)|repl|seed(?:er|s)?(?:[-.][\w.-]+)?|[\w-]+\.(?:cli|conf|config|seed))\.[cm]?[jt]sx?$/i;

/** `seedDemoData.ts`, and not `seedbank.ts`. */
const SEED_NAME = /(?:^|[\\/])seed(?:er|s)?[A-Z]\w*\.[cm]?[jt]sx?$/;

/** `seed.service.ts`, `seed-service.ts`, `seedService.ts`: a part of a server by the end of its name. */
const SERVER_PART =
  /[-.]?(?:controller|entity|handler|model|module|processor|provider|repository|resolver|routes?|router|service|worker)\.[cm]?[jt]sx?$/i;

/** What answers requests or takes jobs, whatever the folder is called. */
const SERVING_PART =
  /\.(?:controller|handler|processor|resolver|routes?|router|worker)\.[cm]?[jt]sx?$/i;

/** Folders of a server's parts; a package may be called `api`, too, with scripts of its own. */
const SERVER_FOLDER =
  /[\\/](?:controllers|handlers|resolvers|routes|(?:app|lib|pages|server|src)[\\/](?:.+[\\/])?(?:api|services))[\\/][^\\/]+$/i;

/** Whether a person runs the file, according to its path: its waiting costs no user anything, and its process ends. */
export function isScript(file: FileFacts): boolean {
  const { place } = file;
  if (SCRIPT_FOLDER.test(place)) return !SERVING_PART.test(place);
  const isNamed = SCRIPT_NAME.test(place) || SEED_NAME.test(place);
  return isNamed && !SERVER_PART.test(place) && !SERVER_FOLDER.test(place);
}
