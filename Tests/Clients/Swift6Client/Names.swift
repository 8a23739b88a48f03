// Names of other packages that an app imports along with HealthKit.

/// Another package's database.
public struct Database {
  /// Creates one.
  public init() {}
}

/// Another package's options.
public struct Options {
  /// Creates the default ones.
  public init() {}
}

/// Another package's open mode.
public struct OpenMode {
  /// Creates the default one.
  public init() {}
}

/// Another package's event.
public struct StoreEvent {
  /// Creates one.
  public init() {}
}

/// Another package's snapshot.
public struct Snapshot {
  /// Creates one.
  public init() {}
}

/// A name that this HealthKit declares and Apple's does not.
public struct HealthDatabase {
  /// Creates one.
  public init() {}
}
