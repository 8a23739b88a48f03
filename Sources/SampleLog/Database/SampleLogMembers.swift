/// A declaration whose re-export makes the members of the engine's types visible, and no other
/// name.
///
/// A module that uses types of the engine in its API re-exports only this declaration. Its clients
/// can then use the members of these types, while the types' names, which may clash with those of
/// other packages, stay out of their scope.
public enum SampleLogMembers {}
