import Testing

@Suite struct HandlerRuleTests {
  @Test(arguments: [
    "  open func save(_ a: Int, completion: @escaping @Sendable () -> Void) {\n  }\n",
    "  public init(\n    a: Int,\n    resultsHandler: @escaping @Sendable () -> Void\n  ) {}\n",
    "  public convenience init(_ handler: @escaping Handler) {}\n",
  ])
  func `A public function that takes a handler must be preconcurrency`(text: String) {
    let path = "Sources/HealthStore/A.swift"
    #expect(TidyRule.handlers.check(SourceFile(path, text)).map(\.line) == [1])
    let marked = "  /// Saves.\n  @preconcurrency\n  @discardableResult\n" + text
    #expect(TidyRule.handlers.check(SourceFile(path, marked)).isEmpty)
    #expect(TidyRule.handlers.check(SourceFile("Tests/A.swift", text)).isEmpty)
  }

  @Test func `Internal functions and functions without a handler are accepted`() {
    let text = """
      func run(_ body: @escaping @Sendable () -> Void) {}
      public func count(_ a: (Int) -> Bool) {}
      public func call() {
        run { (handler: @escaping @Sendable () -> Void) in }
      }
      """
    #expect(TidyRule.handlers.check(SourceFile("Sources/HealthStore/A.swift", text)).isEmpty)
  }
}
