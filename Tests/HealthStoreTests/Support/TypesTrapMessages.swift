/// The messages of traps.
enum TrapMessages {
  /// Whether traps print their message.
  ///
  /// Optimised builds omit it.
  static var arePrinted: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }
}
