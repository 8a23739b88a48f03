internal import Dispatch

/// A queue that delivers the events of a store to its handler, one at a time.
///
/// The handler runs on its own queue, so it may be slow and may use the store. The code that
/// reports an event may hold locks.
final class EventSink: Sendable {
  private let path: String
  private let handler: @Sendable (StoreEvent) -> Void
  private let queue = DispatchQueue(label: "samplelog.events", qos: .utility)
  private let state = Locked(State())

  private struct State {
    /// The damaged locations that were reported.
    var places: Set<Place> = []
    var isLow = false
  }

  private struct Place: Hashable {
    let file: String
    let offset: Int
  }

  /// The maximum number of damaged locations to report, because a failing disk may have very many.
  private static let placeLimit = 1000

  init(_ path: String, _ handler: @escaping @Sendable (StoreEvent) -> Void) {
    self.path = path
    self.handler = handler
  }

  /// Blocks until the handler has received every reported event.
  func drain() { queue.sync {} }

  func report(_ kind: StoreEvent.Kind) {
    let event = StoreEvent(path: path, kind: kind)
    queue.async { [handler] in handler(event) }
  }

  /// Reports damage, once for each location.
  ///
  /// Ignores all other errors. During an inline attempt, refuses the attempt instead; the worker
  /// then encounters the damage again and reports it.
  func report(_ error: any Error) {
    if InlineWork.isActive {
      _ = InlineWork.refusal()
      return
    }
    guard case StoreError.damaged(let file, let offset, let reason) = error else { return }
    let isNew = state.withLock { state in
      state.places.count < Self.placeLimit
        && state.places.insert(Place(file: file, offset: offset)).inserted
    }
    if isNew { report(.damaged(file: file, offset: offset, reason: reason)) }
  }

  /// Reports low disk space, once each time that it becomes low.
  func reportSpace(_ available: Int, isLow: Bool) {
    let isFirst = state.withLock { state in
      defer { state.isLow = isLow }
      return isLow && !state.isLow
    }
    if isFirst { report(.diskNearlyFull(availableByteCount: available)) }
  }
}
