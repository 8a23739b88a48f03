/// Makes the members of the engine's types visible where it is re-exported, and no other name.
///
/// A module that has types of the engine in its API re-exports this declaration alone. Its clients
/// then use the members of these types, and the types' names, which other packages have as well,
/// stay out of their scope.
public enum SampleLogMembers {}
