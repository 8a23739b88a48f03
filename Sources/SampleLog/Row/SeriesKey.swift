/// A number for a byte string that occurs in very many rows: a type, a unit, a source.
@usableFromInline
package typealias Symbol = UInt32

/// What rows of one block have in common: whose data they are and of what kind.
@usableFromInline
package struct SeriesKey: Hashable, Sendable {
  /// Whose data it is.
  @usableFromInline package var subject: Symbol
  /// What kind of data it is.
  @usableFromInline package var type: Symbol

  /// Creates a key.
  @inlinable
  package init(subject: Symbol, type: Symbol) {
    self.subject = subject
    self.type = type
  }

  /// Hashes both symbols as one number.
  @inlinable
  package func hash(into hasher: inout Hasher) {
    hasher.combine(UInt64(subject) << 32 | UInt64(type))
  }
}

extension SeriesKey: Comparable {
  /// Orders keys in some way that is the same throughout a process.
  @usableFromInline
  package static func < (left: SeriesKey, right: SeriesKey) -> Bool {
    left.subject == right.subject ? left.type < right.type : left.subject < right.subject
  }
}
