import ts from 'typescript';

/** Where the declarations of packages are read. */
interface Looking {
  readonly checker: ts.TypeChecker;
  readonly probe: ts.Node;
}

export function propertyType(walk: Looking, type: ts.Type, name: string): ts.Type | undefined {
  const property = walk.checker.getPropertyOfType(type, name);
  return property && walk.checker.getTypeOfSymbolAtLocation(property, walk.probe);
}

export function isAny(type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.Any) !== 0;
}

/** The constituents of a type with members to compare; type parameters stand for their constraints. */
export function parts(walk: Looking, type: ts.Type): ts.Type[] {
  if (type.isUnion()) return type.types.flatMap((it) => parts(walk, it));
  const apparent = walk.checker.getApparentType(walk.checker.getBaseConstraintOfType(type) ?? type);
  if (apparent.isUnion()) return apparent.types.flatMap((it) => parts(walk, it));
  const nothing =
    ts.TypeFlags.Any |
    ts.TypeFlags.Unknown |
    ts.TypeFlags.Never |
    ts.TypeFlags.Null |
    ts.TypeFlags.Undefined |
    ts.TypeFlags.Void;
  return apparent.flags & nothing ? [] : [apparent];
}
