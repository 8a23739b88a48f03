import SampleLog

/// Reports the outages of a stream's lease and of the reports of replicas as events of a store.
///
/// Each outage is reported once, and again if its reason changes.
final class ServiceOutages: Sendable {
  /// The number of consecutive failures at which a service counts as unavailable.
  ///
  /// An election of its servers may cause fewer.
  private static let limit = 3

  private let database: Database
  private let outages = Locked([StoreEvent.StreamService: Outage]())

  init(_ database: Database) { self.database = database }

  /// Sends a request to a service, and records whether it succeeds.
  ///
  /// - Parameters:
  ///   - service: The service.
  ///   - isStreamReachable: Whether the stream itself responds. If it does not, its own outage is
  ///     reported, and the failure is not recorded.
  ///   - body: The request.
  /// - Returns: The answer.
  /// - Throws: The error of the request.
  func request<Answer>(
    _ service: StoreEvent.StreamService, isStreamReachable: Bool = true,
    _ body: () throws -> Answer
  ) throws -> Answer {
    do {
      let answer = try body()
      let hasEnded = outages.withLock { $0.removeValue(forKey: service)?.hasBeenReported ?? false }
      if hasEnded { database.report(.streamServiceAvailable(service)) }
      return answer
    } catch {
      if isStreamReachable {
        let reason = outages.withLock { outages in
          outages[service, default: Outage(limit: Self.limit)].fail("\(error)")
        }
        if let reason { database.report(.streamServiceUnavailable(service, reason: reason)) }
      }
      throw error
    }
  }
}
