public import Foundation
import SampleLog

/// Collects heartbeats and saves them as a series.
///
/// ```swift
/// let beats = HKHeartbeatSeriesBuilder(healthStore: store, device: nil, start: start)
/// try await beats.addHeartbeat(at: 0.8, precededByGap: false)
/// try await beats.addHeartbeat(at: 1.7, precededByGap: false)
/// let series = try await beats.finishSeries()
/// ```
open class HKHeartbeatSeriesBuilder: HKSeriesBuilder, @unchecked Sendable {
  private struct Collected {
    var heartbeats: [HKHeartbeatSeriesQueryDescriptor.Heartbeat] = []
    var metadata: [String: Any] = [:]
  }

  private let start: Date
  private let collected = Locked(Collected())

  /// The most heartbeats of one series: 100,000, about a day's.
  public class var maximumCount: Int { 100_000 }

  /// Makes a builder for a series in a store that begins at a date, recorded by a device.
  public init(healthStore: HKHealthStore, device: HKDevice?, start startDate: Date) {
    start = startDate
    super.init(healthStore, device)
  }

  /// Adds a heartbeat and reports whether that succeeded; the form without a handler has another
  /// name, ``addHeartbeat(at:precededByGap:)``.
  ///
  /// Reports `errorInvalidArgument` for a time that is negative, not finite or less than that of
  /// the heartbeat before, for more heartbeats than `maximumCount`, and after the series was
  /// finished or discarded.
  ///
  /// - Parameters:
  ///   - timeIntervalSinceStart: Seconds since the start of the series.
  ///   - precededByGap: Whether heartbeats may be missing between this one and that before.
  ///   - completion: Is called on a background thread.
  @preconcurrency
  open func addHeartbeatWithTimeInterval(
    sinceSeriesStartDate timeIntervalSinceStart: TimeInterval, precededByGap: Bool,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    report(completion) {
      try self.checkOpen()
      let time = timeIntervalSinceStart
      try self.collected.withLock { collected in
        let before = collected.heartbeats.last?.timeIntervalSinceStart ?? 0
        guard time.isFinite, time >= before else {
          throw HKError.make(
            .errorInvalidArgument,
            "A heartbeat at \(time) s does not come after one at \(before) s.")
        }
        guard collected.heartbeats.count < Self.maximumCount else {
          throw HKError.make(
            .errorInvalidArgument, "A series has at most \(Self.maximumCount) heartbeats.")
        }
        collected.heartbeats.append(
          .init(timeIntervalSinceStart: time, precededByGap: precededByGap))
      }
    }
  }

  /// Adds a heartbeat, or throws what the form with a handler reports.
  open func addHeartbeat(
    at timeIntervalSinceStart: TimeInterval, precededByGap: Bool
  ) async throws {
    try await healthStore.attempt {
      self.addHeartbeatWithTimeInterval(
        sinceSeriesStartDate: timeIntervalSinceStart, precededByGap: precededByGap, completion: $0)
    }
  }

  /// Adds metadata of the series, over what it has under the same keys, and reports whether it
  /// could.
  ///
  /// Reports `errorInvalidArgument` for what cannot be stored, and after the series was finished or
  /// discarded.
  @preconcurrency
  open func addMetadata(
    _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    report(completion) {
      try self.checkOpen()
      _ = try Metadata.entries(metadata)
      self.collected.withLock { $0.metadata.merge(metadata) { $1 } }
    }
  }

  /// Adds metadata of the series, or throws what the form with a handler reports.
  open func addMetadata(_ metadata: [String: Any]) async throws {
    let metadata = Locked(metadata)
    try await healthStore.attempt { completion in
      self.addMetadata(metadata.withLock { $0 }, completion: completion)
    }
  }

  /// Saves the series and reports it.
  ///
  /// Reports `errorInvalidArgument` when there is no heartbeat, and after the series was finished
  /// or discarded. After another failure it may be tried again.
  @preconcurrency
  open func finishSeries(
    completion: @escaping @Sendable (HKHeartbeatSeriesSample?, (any Error)?) -> Void
  ) {
    finish(completion) { store, subject, policy in
      let series = try self.series()
      try store.save([series], subject: subject, policy: policy)
      self.whenFinished.withLock { $0 }?(series)
      return series
    }
  }

  private func series() throws -> HKHeartbeatSeriesSample {
    let collected = collected.withLock { $0 }
    return try HKHeartbeatSeriesSample.validated(
      start: start, heartbeats: collected.heartbeats, device: builderDevice,
      metadata: collected.metadata.isEmpty ? nil : collected.metadata)
  }

  override func collectedSeries() throws -> HKSample? {
    collected.withLock { $0.heartbeats.isEmpty } ? nil : try series()
  }

  /// Saves the series, or throws what the form with a handler reports.
  open func finishSeries() async throws -> HKHeartbeatSeriesSample {
    try await finished { self.finishSeries(completion: $0) }
  }
}
