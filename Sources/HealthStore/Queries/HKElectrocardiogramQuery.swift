/// Reads the voltages of an electrocardiogram in chronological order.
open class HKElectrocardiogramQuery: HKQuery, @unchecked Sendable {
  /// A result of the query.
  public enum Result: Sendable {
    /// The next voltage.
    case measurement(HKElectrocardiogram.VoltageMeasurement)
    /// There are no more voltages.
    case done
    /// The voltages cannot be read; no further results follow.
    case error(any Error)
  }

  private let electrocardiogram: HKElectrocardiogram
  private let dataHandler: @Sendable (HKElectrocardiogramQuery, Result) -> Void

  /// Creates a query for the voltages of an electrocardiogram in the store.
  ///
  /// The handler receives each voltage and then `done`, or an error, after which it is not called
  /// again.
  @preconcurrency
  public init(
    _ ecg: HKElectrocardiogram,
    dataHandler: @escaping @Sendable (HKElectrocardiogramQuery, Result) -> Void
  ) {
    electrocardiogram = ecg
    self.dataHandler = dataHandler
    super.init(objectType: .electrocardiogramType(), predicate: nil)
  }

  /// Creates a query for the voltages of an electrocardiogram in the store.
  ///
  /// The handler receives each voltage, then nil with true for done; or an error, after which it is
  /// not called again.
  @preconcurrency
  public convenience init(
    electrocardiogram: HKElectrocardiogram,
    dataHandler:
      @escaping @Sendable (
        HKElectrocardiogramQuery, HKElectrocardiogram.VoltageMeasurement?, Bool, (any Error)?
      ) -> Void
  ) {
    self.init(electrocardiogram) { query, result in
      switch result {
      case .measurement(let measurement): dataHandler(query, measurement, false, nil)
      case .done: dataHandler(query, nil, true, nil)
      case .error(let error): dataHandler(query, nil, true, error)
      }
    }
  }

  override func run(_ reader: StoreReader) throws {
    var series = try SeriesReader(electrocardiogram, reader)
    let unit = electrocardiogram.voltageUnit
    while execution.isRunning, let chunk = try series.next() {
      for measurement in chunk.voltages(unit) {
        execution.deliver { dataHandler(self, .measurement(measurement)) }
      }
    }
    execution.deliver { dataHandler(self, .done) }
    execution.finish()
  }

  override func fail(_ error: any Error) { dataHandler(self, .error(error)) }
}
