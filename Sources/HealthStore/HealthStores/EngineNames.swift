public import SampleLog

// Aliases for the types of the engine that clients name.
extension HKHealthStore {
  /// The purpose of opening a store: reading and writing, or reading only.
  public typealias OpenMode = SampleLog.OpenMode

  /// An event that `Options.onEvent` reports.
  public typealias Event = StoreEvent
}
