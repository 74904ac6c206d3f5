import { libraryNamed, typeOf } from '../analysis/model/index.ts';
import { type MeasuredPackage, measuredPackages } from '../analysis/model/measured.ts';
import type { LibraryType, Member, Signature } from '../analysis/model/schema.ts';
import type { DriverClass, DriverMethod, DriverPlan } from '../runtime/plan.ts';

/** Which calls of drivers a running program measures, by what the model states of them. */
export function driverPlans(): readonly DriverPlan[] {
  return Object.entries(measuredPackages).map(([name, measured]) => ({
    package: name,
    driver: measured.driver ?? name,
    classes: Object.entries(measured.classes).map(([exported, type]) =>
      classOf(name, exported, { type, measured }),
    ),
  }));
}

function classOf(
  name: string,
  exported: string,
  { type, measured }: { readonly type: string; readonly measured: MeasuredPackage },
): DriverClass {
  const model = typeNamed(name, type);
  const { pool, role, members = {} } = model;
  const methods = Object.entries(members).flatMap(([method, member]): DriverMethod[] => {
    if (acquires(member)) return [acquiring(ownerOf(type) ?? name, method, member)];
    // What a pool sends itself, it sends on one of its connections.
    const isSent = role !== 'pool' && member.effect?.op === 'sql';
    const statement = member.effect?.argument ?? 0;
    return isSent
      ? [{ does: 'statement', name: method, statement, text: measured.statementText }]
      : [];
  });
  return {
    ...{ export: exported, methods },
    ...(pool?.maxOption &&
      pool.max !== undefined &&
      measured.poolOptions && {
        pool: { options: measured.poolOptions, size: pool.maxOption, defaultSize: pool.max },
      }),
  };
}

/** `pg` of `pg.Pool`. */
function ownerOf(type: string): string | undefined {
  const dot = type.lastIndexOf('.');
  return dot === -1 ? undefined : type.slice(0, dot);
}

function acquires({ acquires: kind }: Signature): boolean {
  return kind === 'connection';
}

function acquiring(name: string, method: string, member: Member): DriverMethod {
  const given = member.withCallback ?? member;
  const params = given.callback?.params ?? [];
  const connection = params.findIndex(
    (it) => it !== undefined && it !== 'error' && it !== 'release',
  );
  const release = params.indexOf('release');
  const lent = member.returns?.match(/^Promise<(.*)>$/)?.[1] ?? params[connection];
  return {
    ...{ does: 'acquire', name: method },
    releases: lent === undefined ? [] : releasesOf(typeNamed(name, lent)),
    ...(given.callback && {
      callback: {
        ...{ at: given.callback.at, connection },
        ...(release !== -1 && { release }),
      },
    }),
  };
}

/** A method that keeps the place of its connection in the pool ends no hold. */
function releasesOf({ members = {} }: LibraryType): readonly string[] {
  return Object.entries(members).flatMap(([name, it]) =>
    it.releases === 'this' && !it.keepsPlace ? [name] : [],
  );
}

function typeNamed(library: string, name: string): LibraryType {
  const own = libraryNamed(library);
  const type = own && typeOf(own, name);
  if (!type) throw new Error(`The model of ${library} has no type ${name}`);
  return type;
}
