public import SampleLog

extension HKHealthStore {
  /// The purpose of opening a store: reading and writing, or reading only.
  public typealias OpenMode = SampleLog.OpenMode

  /// An event that `Options.onEvent` reports.
  public typealias Event = StoreEvent
}
