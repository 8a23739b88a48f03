import Testing

@Suite struct PublicRuleTests {
  private func lines(_ text: String) -> [Int?] {
    TidyRule.publicSafety.check(SourceFile("Sources/A/B.swift", text)).map(\.line)
  }

  @Test(arguments: [
    "public struct A {\n  public init(_ bytes: UnsafeRawBufferPointer) {}\n}\n",
    "public struct A {\n  @inlinable public var start: UnsafePointer<Double> { memory }\n}\n",
    "public struct A {\n  public func read(\n    into b: UnsafeMutableRawPointer\n  ) {}\n}\n",
    "extension A {\n  public func start()\n    -> UnsafePointer<Int> { memory }\n}\n",
    "public protocol A {\n  func read(into buffer: UnsafeMutableRawBufferPointer) throws\n}\n",
    "public enum A {\n  case memory(UnsafeRawPointer)\n}\n",
    "open class A {\n  open func pointer() -> OpaquePointer { memory }\n}\n",
  ])
  func `A public declaration with an unsafe pointer is reported`(text: String) {
    #expect(lines(text).count == 1)
  }

  @Test(arguments: [
    "public struct A: @unchecked Sendable {}\n",
    "public final class A: B, @unchecked Sendable {\n}\n",
    "public struct A<B>: Hashable,\n  @unchecked Sendable\nwhere B: C {\n}\n",
  ])
  func `A public type with unchecked Sendable conformance is reported`(text: String) {
    #expect(lines(text) == [1])
  }

  @Test func `Internal declarations and those that Apple prescribes are accepted`() {
    let text = """
      package final class Block: @unchecked Sendable {
        package var start: UnsafePointer<Double> { memory }
      }
      open class HKObject: NSObject, @unchecked Sendable {
        public func names() -> [String] {
          withUnsafeBytes(of: UnsafeRawPointer(memory)) { _ in [] }
        }
      }
      public protocol Reader {
        /// Copies from an UnsafePointer.
        func read(into buffer: inout MutableRawSpan) throws -> Int
      }
      public enum Text {
        static func read(_ bytes: UnsafeBufferPointer<UInt8>) {}
      }
      extension Reader {
        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int { 0 }
      }
      """
    #expect(lines(text) == [])
    let inside = "public func read(a: UnsafeRawPointer) {}\n"
    #expect(TidyRule.publicSafety.check(SourceFile("Tests/A.swift", inside)).isEmpty)
  }
}
