// Names that other packages have, and that an app imports beside HealthKit.

/// A database of some other kind.
public struct Database {
  /// Creates one.
  public init() {}
}

/// Options of something else.
public struct Options {
  /// Creates the default ones.
  public init() {}
}

/// How something else is opened.
public struct OpenMode {
  /// Creates the default one.
  public init() {}
}

/// What happens to something else.
public struct StoreEvent {
  /// Creates one.
  public init() {}
}

/// A snapshot of something else.
public struct Snapshot {
  /// Creates one.
  public init() {}
}

/// A name that HealthKit has here, and not on Apple's systems.
public struct HealthDatabase {
  /// Creates one.
  public init() {}
}
