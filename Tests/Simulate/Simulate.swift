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
      if let (plan, rot) = rot(text) { exit(replay(plan, rot)) }
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

  /// Reads what a failure after damage says: `rot=flip/0/17 store=1/2/12/7`.
  private static func rot(_ text: String) -> (RotStore.Plan, Rot)? {
    let parts = text.split(separator: " ")
    guard parts.count == 2, parts[0].hasPrefix("rot="), parts[1].hasPrefix("store="),
      let rot = Rot(parts[0].dropFirst(4)), let plan = RotStore.Plan(parts[1].dropFirst(6))
    else { return nil }
    return (plan, rot)
  }

  private static func replay(_ plan: RotStore.Plan, _ rot: Rot) -> Int32 {
    do {
      let store = try RotStore(plan)
      guard rot.fits(store) else {
        print("The store has no such place: \(rot)")
        return 2
      }
      var checker = RotChecker(store)
      try checker.check(rot)
      print("nothing wrong")
      return 0
    } catch {
      print("FAILED \(error)")
      return 1
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
