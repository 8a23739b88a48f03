public import SampleLog

/// The options of this module, which a database's options carry.
struct HandleOptions: LayerOptions {
  var deliveryTimeout = Duration.seconds(60)
  var idleTimeout = Duration.seconds(2)
  var refreshInterval = Duration.milliseconds(50)

  /// Returns the names of the options whose values differ.
  func differences(from other: Self) -> [String] {
    [
      deliveryTimeout == other.deliveryTimeout ? nil : "deliveryTimeout",
      idleTimeout == other.idleTimeout ? nil : "idleTimeout",
      refreshInterval == other.refreshInterval ? nil : "refreshInterval",
    ].compactMap(\.self)
  }
}

extension Database.Options {
  /// The time for which an `HKObserverQuery` may delay its acknowledgement of a background
  /// delivery, after which the delivery has failed; default: 60 seconds.
  public var deliveryTimeout: Duration {
    get { handles.deliveryTimeout }
    set { handles.deliveryTimeout = newValue }
  }

  /// The time for which background delivery keeps deletions that it has not delivered, if
  /// `deletionRetention` is shorter; default: 30 days.
  public var deliveryRetention: Duration {
    get { registrationRetention }
    set { registrationRetention = newValue }
  }

  /// The time for which a store stays open after its last `HKHealthStore` is released; default:
  /// 2 seconds.
  ///
  /// Values below 0 are treated as 0.
  public var idleTimeout: Duration {
    get { handles.idleTimeout }
    set { handles.idleTimeout = newValue }
  }

  /// The interval at which a read-only `HKHealthStore` looks for commits of other processes while
  /// queries wait for them; default: 50 milliseconds.
  ///
  /// Values below 1 millisecond are treated as 1 millisecond.
  public var refreshInterval: Duration {
    get { handles.refreshInterval }
    set { handles.refreshInterval = newValue }
  }

  private var handles: HandleOptions {
    get { layer as? HandleOptions ?? HandleOptions() }
    set { layer = newValue }
  }
}
