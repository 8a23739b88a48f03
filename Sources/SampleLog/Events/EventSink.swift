internal import Dispatch

/// Passes what happens to a store on to its handler, one event after the other.
///
/// The handler runs on a queue of its own, so that it may be slow and may use the store: whoever
/// reports an event holds locks.
final class EventSink: Sendable {
  private let path: String
  private let handler: @Sendable (StoreEvent) -> Void
  private let queue = DispatchQueue(label: "samplelog.events", qos: .utility)
  private let state = Locked(State())

  private struct State {
    /// Places of damage that were reported.
    var places: Set<Place> = []
    var isLow = false
  }

  private struct Place: Hashable {
    let file: String
    let offset: Int
  }

  /// Damage is reported at so many places; a disk that fails has damage everywhere.
  private static let placeLimit = 1000

  init(_ path: String, _ handler: @escaping @Sendable (StoreEvent) -> Void) {
    self.path = path
    self.handler = handler
  }

  /// Waits until the handler has had everything that was reported.
  func drain() { queue.sync {} }

  func report(_ kind: StoreEvent.Kind) {
    let event = StoreEvent(path: path, kind: kind)
    queue.async { [handler] in handler(event) }
  }

  /// Reports damage, of each place once, and no other error.
  func report(_ error: any Error) {
    guard case StoreError.damaged(let file, let offset, let reason) = error else { return }
    let isNew = state.withLock { state in
      state.places.count < Self.placeLimit
        && state.places.insert(Place(file: file, offset: offset)).inserted
    }
    if isNew { report(.damaged(file: file, offset: offset, reason: reason)) }
  }

  /// Reports that space is low, once until it was not.
  func reportSpace(_ available: Int, isLow: Bool) {
    let isNews = state.withLock { state in
      defer { state.isLow = isLow }
      return isLow && !state.isLow
    }
    if isNews { report(.diskNearlyFull(availableByteCount: available)) }
  }
}
