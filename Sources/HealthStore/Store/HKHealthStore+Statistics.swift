public import Foundation
internal import SampleLog

extension HKHealthStore {
  /// The calendar that statistics count days and longer in, where a query's interval components
  /// have none.
  ///
  /// Our addition, for servers: set it to the calendar and time zone of the subject. It belongs to
  /// this object and is not stored. It is `Calendar.current` unless set, and queries take it when
  /// they are executed.
  public var calendar: Calendar {
    get { ownCalendar.withLock { $0 } ?? .current }
    set { ownCalendar.withLock { $0 = newValue } }
  }

  /// Sets which source counts first where samples of a cumulative or category
  /// type overlap.
  ///
  /// Our addition: what a person sets under Data Sources in Apple's Health app. The order is stored
  /// for this object's subject and the type, and running statistics collection queries compute
  /// their intervals again. Sources that it does not name follow in the default order: what a user
  /// entered, then a Watch, an iPhone, and others, and then by bundle identifier. An empty order
  /// restores the default.
  ///
  /// - Parameters:
  ///   - sources: The sources, the one that counts first in front; only bundle identifiers matter.
  ///   - sampleType: The type.
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` when it cannot be stored.
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

  /// The bundle identifiers that ``setSourceOrder(_:for:)`` has set; empty for the default order.
  ///
  /// - Throws: ``HKError`` when the store cannot be read.
  public func sourceOrder(for sampleType: HKSampleType) async throws -> [String] {
    try await value { store, subject in
      try store.reading(subject) { try store.sourceOrder(of: $0.key(sampleType.identifier)) }
    }
  }
}
