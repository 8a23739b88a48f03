/// What a trap says on its way out.
enum TrapMessages {
  /// Whether traps print their sentence: optimised builds drop it.
  static var arePrinted: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }
}
