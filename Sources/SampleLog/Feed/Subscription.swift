/// A named subscriber to a store's changes whose position the store keeps.
///
/// The position is logged like a commit and equally durable. Deletions after it are retained,
/// however old, until the subscriber acknowledges them or the subscription is removed.
///
/// ```swift
/// let mirror = database.subscription("mirror")
/// let position = try mirror.position ?? mirror.acknowledge(.beginning)
/// let feed = try ChangeFeed(database, after: position)
/// while let page = try feed.next(limit: 1000) {
///   try copy(page.changes)
///   try mirror.acknowledge(page.anchor)
/// }
/// ```
///
/// A value of this type is a handle: creating one does not change the store.
public struct Subscription: Sendable {
  /// The progress of a subscription.
  public enum State: Hashable, Sendable {
    /// The store keeps neither a position nor deletions for this name.
    case absent
    /// The store keeps a position, and `lag` sequence numbers follow it.
    ///
    /// Not all of them are changes: an acknowledgement takes a sequence number itself.
    case active(lag: UInt64)
  }

  /// The name, compared byte by byte.
  public let name: String
  private let database: Database

  fileprivate init(_ name: String, of database: Database) {
    self.name = name
    self.database = database
  }

  /// The last acknowledged anchor, or nil if there is none.
  public var position: Anchor? {
    database.acknowledged(name).map { database.anchor(at: $0) }
  }

  /// The progress of the subscription.
  public var state: State {
    let end = database.end
    guard let sequence = database.acknowledged(name) else { return .absent }
    return .active(lag: end - min(sequence, end))
  }

  /// Logs that every change up to an anchor has been processed.
  ///
  /// The first acknowledgement creates the subscription. A subscriber that reads the whole history
  /// acknowledges ``Anchor/beginning`` before it reads, so that no deletion is forgotten during the
  /// initial load.
  ///
  /// - Parameter anchor: The anchor, usually of the page that was read last.
  /// - Returns: The new position.
  /// - Throws: ``StoreError/invalid(_:)`` for an anchor before the last acknowledged one or beyond
  ///   the end; ``StoreError/anchorOfAnotherStore`` and
  ///   ``StoreError/anchorFromTheFuture(anchor:end:)``; ``StoreError/anchorExpired(anchor:floor:)``
  ///   for a new subscription at an anchor whose deletions have been forgotten or are being
  ///   forgotten by a running compaction; and the errors of ``Database/commit(_:durability:)``.
  @discardableResult
  public func acknowledge(_ anchor: Anchor) throws -> Anchor {
    let sequence = try database.identity.resolve(anchor).sequence
    try database.acknowledge(name, through: sequence)
    return database.anchor(at: sequence)
  }

  /// Removes the subscription, so that the store no longer retains deletions for it.
  ///
  /// - Throws: The errors of ``Database/commit(_:durability:)``.
  public func remove() throws { try database.removeAcknowledgement(name) }
}

extension Database {
  /// Returns the subscription with a name, whether or not it exists in the store.
  public func subscription(_ name: String) -> Subscription { Subscription(name, of: self) }

  /// The subscriptions that exist in the store, sorted by name.
  public var subscriptions: [Subscription] {
    acknowledgements.keys.sorted().map { subscription($0) }
  }

  /// Returns the sequence number that a subscription last acknowledged, or nil if it does not
  /// exist.
  fileprivate func acknowledged(_ name: String) -> UInt64? {
    acknowledged(key: Self.acknowledgementKey(name))
  }
}
