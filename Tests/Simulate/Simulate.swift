import Foundation
import SampleLog
import SampleLogSimulation

/// Proves the store by simulation: opens what crashes, errors and rot may leave of a disk.
@main
enum Simulate {
  static func main() {
    guard let arguments = Arguments(CommandLine.arguments.dropFirst()) else {
      print(Arguments.usage)
      exit(2)
    }
    if let text = arguments.replay {
      guard let workload = Workload(text) else {
        print("This is no workload: \(text)")
        exit(2)
      }
      exit(replay(workload))
    }
    do {
      let run = try Run(arguments)
      run.go()
      exit(run.report() ? 0 : 1)
    } catch {
      print("FAILED \(error)")
      exit(1)
    }
  }

  /// Runs one workload and opens all its images, more thoroughly than a run of many would.
  private static func replay(_ workload: Workload) -> Int32 {
    var effort = Explorer.Effort()
    effort.full = 1
    var explorer = Explorer(effort)
    do {
      let execution = try explorer.explore(workload, keepsLog: true)
      for line in execution.log { print(line) }
      print("\(explorer.counts.distinct) images, nothing wrong")
      return 0
    } catch {
      print("FAILED \(error)")
      return 1
    }
  }
}
