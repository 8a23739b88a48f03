import BenchmarkKit
import Testing

@Suite("The command line")
struct OptionsTests {
  @Test(
    "is refused with the reason",
    arguments: [
      ["--samples", "0"], ["--samples"], ["--only", "nothing"], ["--against", "unknown"],
      ["--order", "backwards"], ["--subjects", "20000000"], ["--fast"],
      ["--observers", "0"], ["--observers", "10,"], ["--people", "0"], ["--tasks", "8,"],
    ])
  func refused(arguments: [String]) {
    #expect(throws: BenchmarkError.self) { try Options(arguments) }
  }

  #if HAS_LMDB
    @Test("refuses more people than the keys of a store can distinguish")
    func subjects() throws {
      #expect(throws: BenchmarkError.self) {
        try Options(["--subjects", "70000", "--against", "lmdb"])
      }
      #expect(try Options(["--subjects", "70000", "--against", "sqlite"]).peers.count == 1)
    }
  #endif

  @Test("keeps the order of scenarios, whatever their order on the command line")
  func order() throws {
    let options = try Options(["--only", "open,scan,bulk", "--skip", "scan"])
    #expect(options.scenarios == [.bulk, .open])
  }

  @Test("takes the numbers of observers from a list")
  func observers() throws {
    #expect(try Options(["--observers", "5"]).plan.observers == [5])
    #expect(try Options(["--observers", "10,200"]).plan.observers == [10, 200])
  }

  @Test("accepts the numbers of people and of tasks for the calls")
  func calls() throws {
    let plan = try Options(["--people", "1,50", "--tasks", "4"]).plan
    #expect(plan.subjectCounts == [1, 50])
    #expect(plan.tasks == [4])
  }

  @Test("selects no peer for none, and otherwise the named ones")
  func peers() throws {
    #expect(try Options(["--against", "none"]).peers.isEmpty)
    #expect(try Options(["--against", "sqlite"]).peers.map(\.name) == ["sqlite"])
  }
}
