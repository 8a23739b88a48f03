/// The number of an interned byte string: a subject, type, unit, source or device.
@usableFromInline
package typealias Symbol = UInt32

/// The key of a series: the subject and type that its rows share.
@usableFromInline
package struct SeriesKey: Hashable, Sendable {
  /// The subject that the data belongs to.
  @usableFromInline package var subject: Symbol
  /// The type of the data.
  @usableFromInline package var type: Symbol

  /// Creates a key.
  @inlinable
  package init(subject: Symbol, type: Symbol) {
    self.subject = subject
    self.type = type
  }

  /// Hashes both symbols as one integer.
  @inlinable
  package func hash(into hasher: inout Hasher) {
    hasher.combine(UInt64(subject) << 32 | UInt64(type))
  }
}

extension SeriesKey: Comparable {
  /// Orders keys; the order is stable only within a process.
  @usableFromInline
  package static func < (left: SeriesKey, right: SeriesKey) -> Bool {
    left.subject == right.subject ? left.type < right.type : left.subject < right.subject
  }
}
