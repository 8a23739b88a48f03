/// Reads the voltages of an electrocardiogram, in order of their time.
open class HKElectrocardiogramQuery: HKQuery, @unchecked Sendable {
  /// What the query has to say.
  public enum Result: Sendable {
    /// The next voltage.
    case measurement(HKElectrocardiogram.VoltageMeasurement)
    /// There are no more.
    case done
    /// They cannot be read; nothing follows.
    case error(any Error)
  }

  private let electrocardiogram: HKElectrocardiogram
  private let dataHandler: @Sendable (HKElectrocardiogramQuery, Result) -> Void

  /// Makes a query for the voltages of an electrocardiogram that is in the store.
  ///
  /// The handler gets each voltage, then that there are no more; or an error, after which it is not
  /// called any more.
  @preconcurrency
  public init(
    _ ecg: HKElectrocardiogram,
    dataHandler: @escaping @Sendable (HKElectrocardiogramQuery, Result) -> Void
  ) {
    electrocardiogram = ecg
    self.dataHandler = dataHandler
    super.init(objectType: .electrocardiogramType(), predicate: nil)
  }

  /// Makes a query for the voltages of an electrocardiogram that is in the store.
  ///
  /// The handler gets each voltage, then `nil` and that it is done; or an error, after which it is
  /// not called any more.
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
