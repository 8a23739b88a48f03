public import Foundation
internal import SampleLog

// Settings for statistics: the calendar and the order of sources.
extension HKHealthStore {
  /// The calendar that statistics use for days and longer intervals if a query's interval
  /// components do not specify one.
  ///
  /// This is an addition for servers: set it to the subject's calendar and time zone. It belongs to
  /// this object and is not stored. Default: `Calendar.current`. A query reads it when it is
  /// executed.
  public var calendar: Calendar {
    get { state.withLock { $0.calendar } ?? .current }
    set { state.withLock { $0.calendar = newValue } }
  }

  /// Sets the priority order of sources for overlapping samples of a cumulative or category type.
  ///
  /// This is an addition; it corresponds to Data Sources in Apple's Health app. The order is stored
  /// for this object's subject and the type, and running statistics collection queries recompute
  /// their intervals. Sources that are not listed follow in the default order: user-entered
  /// samples, then a Watch, an iPhone, and other devices, with ties broken by bundle identifier. An
  /// empty order restores the default.
  ///
  /// - Parameters:
  ///   - sources: The sources in descending priority. Only bundle identifiers are compared.
  ///   - sampleType: The type.
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` if the order cannot be stored.
  public func setSourceOrder(
    _ sources: [HKSource], for sampleType: HKSampleType
  ) async throws {
    let identifiers = sources.map(\.bundleIdentifier)
    try await changing { store, subject in
      let symbols = store.database.symbols
      try store.setSourceOrder(
        identifiers,
        of: SeriesKey(
          subject: symbols.intern(subject), type: symbols.intern(sampleType.identifier)))
    }
  }

  /// Returns the bundle identifiers set with ``setSourceOrder(_:for:)``, or an empty array for the
  /// default order.
  ///
  /// - Throws: ``HKError`` if the store cannot be read.
  public func sourceOrder(for sampleType: HKSampleType) async throws -> [String] {
    try await value { store, subject in
      try store.reading(subject) { try store.sourceOrder(of: $0.key(sampleType.identifier)) }
    }
  }
}
