/// A reader of a store's changes whose position the store keeps.
///
/// The position is in the log like a commit, and survives what commits survive. Deletions after it
/// are kept, however old, until the subscription acknowledges them or is removed.
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
/// A value of this type is a handle: making one changes nothing in the store.
public struct Subscription: Sendable {
  /// The progress of a subscription.
  public enum State: Hashable, Sendable {
    /// The store keeps no position for the name, and no deletions.
    case absent
    /// The store keeps a position, and `lag` sequence numbers come after it. Not all are of
    /// changes: an acknowledgement takes one itself.
    case active(lag: UInt64)
  }

  /// The name, which is compared byte by byte.
  public let name: String
  private let database: Database

  fileprivate init(_ name: String, of database: Database) {
    self.name = name
    self.database = database
  }

  /// The anchor that was acknowledged last; nil if there is none.
  public var position: Anchor? {
    database.acknowledged(name).map { database.anchor(at: $0) }
  }

  /// The progress of the subscription.
  public var state: State {
    let end = database.end
    guard let sequence = database.acknowledged(name) else { return .absent }
    return .active(lag: end - min(sequence, end))
  }

  /// Logs that everything up to an anchor has been dealt with.
  ///
  /// The first acknowledgement makes the subscription. One that begins with the whole history
  /// acknowledges ``Anchor/beginning`` before it reads, so that no deletion is forgotten meanwhile.
  ///
  /// - Parameter anchor: The anchor, mostly that of the page that was read last.
  /// - Returns: The position from now on.
  /// - Throws: ``StoreError/invalid(_:)`` for an anchor before the one acknowledged last or beyond
  ///   the end; ``StoreError/anchorOfAnotherStore`` and
  ///   ``StoreError/anchorFromTheFuture(anchor:end:)``; ``StoreError/anchorExpired(anchor:floor:)``
  ///   for a new subscription at an anchor whose deletions have been forgotten, or are just being
  ///   forgotten; and what ``Database/commit(_:durability:)`` throws.
  @discardableResult
  public func acknowledge(_ anchor: Anchor) throws -> Anchor {
    let sequence = try database.identity.resolve(anchor).sequence
    try database.acknowledge(name, through: sequence)
    return database.anchor(at: sequence)
  }

  /// Forgets the position, so that the store keeps no deletions for it.
  ///
  /// - Throws: What ``Database/commit(_:durability:)`` throws.
  public func remove() throws { try database.removeAcknowledgement(name) }
}

extension Database {
  /// Returns the subscription with a name, whether the store keeps a position for it or not.
  public func subscription(_ name: String) -> Subscription { Subscription(name, of: self) }

  /// The subscriptions that the store keeps a position for, by name.
  public var subscriptions: [Subscription] {
    acknowledgements.keys.sorted().map { subscription($0) }
  }

  /// The sequence number through which a subscription has acknowledged; nil if there is none.
  fileprivate func acknowledged(_ name: String) -> UInt64? {
    acknowledged(key: Self.acknowledgementKey(name))
  }
}
