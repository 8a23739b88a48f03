import BenchmarkKit
import Testing

@Suite("The command line")
struct OptionsTests {
  @Test(
    "is refused with what is wrong",
    arguments: [
      ["--samples", "0"], ["--samples"], ["--only", "nothing"], ["--against", "nobody"],
      ["--order", "backwards"], ["--subjects", "70000"], ["--fast"],
    ])
  func refused(arguments: [String]) {
    #expect(throws: BenchmarkError.self) { try Options(arguments) }
  }

  @Test("keeps the order of scenarios, whatever order they are named in")
  func order() throws {
    let options = try Options(["--only", "open,scan,bulk", "--skip", "scan"])
    #expect(options.scenarios == [.bulk, .open])
  }

  @Test("gives no peer for none, and those that are named otherwise")
  func peers() throws {
    #expect(try Options(["--against", "none"]).peers.isEmpty)
    #expect(try Options(["--against", "sqlite"]).peers.map(\.name) == ["sqlite"])
  }
}
