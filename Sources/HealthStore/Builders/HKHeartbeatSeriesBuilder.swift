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
  private let start: Date
  private let heartbeats = Locked<[HKHeartbeatSeriesQueryDescriptor.Heartbeat]>([])

  /// The maximum number of heartbeats in a series: 100,000, about a day's.
  public class var maximumCount: Int { HeartbeatSeriesPayload.maximumCount }

  /// Creates a builder for a series in a store, with a start date and a device.
  public init(healthStore: HKHealthStore, device: HKDevice?, start startDate: Date) {
    start = startDate
    super.init(healthStore, device)
  }

  /// Adds a heartbeat and reports whether this succeeded.
  ///
  /// The asynchronous form is ``addHeartbeat(at:precededByGap:)``.
  ///
  /// Reports `errorInvalidArgument` if the time is negative, not finite or before the preceding
  /// heartbeat, if `maximumCount` is exceeded, and after the series is finished or discarded.
  ///
  /// - Parameters:
  ///   - timeIntervalSinceStart: The time since the start of the series, in seconds.
  ///   - precededByGap: Whether heartbeats may be missing between this one and the preceding one.
  ///   - completion: The handler; called on a background thread.
  @preconcurrency
  open func addHeartbeatWithTimeInterval(
    sinceSeriesStartDate timeIntervalSinceStart: TimeInterval, precededByGap: Bool,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    report(completion) {
      try self.checkOpen()
      let time = timeIntervalSinceStart
      try self.heartbeats.withLock { heartbeats in
        let before = heartbeats.last?.timeIntervalSinceStart ?? 0
        guard time.isFinite, time >= before else {
          throw HKError.make(
            .errorInvalidArgument,
            "A heartbeat at \(time) s does not come after one at \(before) s.")
        }
        guard heartbeats.count < Self.maximumCount else {
          throw HKError.make(
            .errorInvalidArgument, "A series has at most \(Self.maximumCount) heartbeats.")
        }
        heartbeats.append(.init(timeIntervalSinceStart: time, precededByGap: precededByGap))
      }
    }
  }

  /// Adds a heartbeat, or throws the errors that the completion-handler version reports.
  open func addHeartbeat(
    at timeIntervalSinceStart: TimeInterval, precededByGap: Bool
  ) async throws {
    try await healthStore.attempt {
      self.addHeartbeatWithTimeInterval(
        sinceSeriesStartDate: timeIntervalSinceStart, precededByGap: precededByGap, completion: $0)
    }
  }

  /// Adds metadata to the series and reports whether this succeeded.
  ///
  /// The new values replace those of existing keys.
  ///
  /// Reports `errorInvalidArgument` if the metadata cannot be stored, and after the series is
  /// finished or discarded.
  @preconcurrency
  open func addMetadata(
    _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    add(metadata: metadata, completion)
  }

  /// Adds metadata to the series, or throws the errors that the completion-handler version reports.
  open func addMetadata(_ metadata: [String: Any]) async throws {
    nonisolated(unsafe) let metadata = metadata
    try await healthStore.attempt { completion in
      self.addMetadata(metadata, completion: completion)
    }
  }

  /// Saves the series and reports it.
  ///
  /// Reports `errorInvalidArgument` if there are no heartbeats, and after the series is finished or
  /// discarded. After any other error the call may be repeated.
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
    try HKHeartbeatSeriesSample.validated(
      start: start, heartbeats: heartbeats.withLock { $0 }, device: builderDevice,
      metadata: addedMetadata)
  }

  override func collectedSeries() throws -> HKSample? {
    heartbeats.withLock { $0.isEmpty } ? nil : try series()
  }

  /// Saves the series, or throws the errors that the completion-handler version reports.
  open func finishSeries() async throws -> HKHeartbeatSeriesSample {
    try await finished { self.finishSeries(completion: $0) }
  }
}
