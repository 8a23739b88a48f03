import SampleLogSimulation

/// The subcommand that opens the images that crashes, errors and bit rot may leave on a simulated
/// disk.
enum ImagesCommand: Subcommand {
  static let name = "images"
  static let usage = """
    usage: Prove images [--images N] [--minutes M] [--threads N] [--seed S] [--brief]
           Prove images --random [--first N] [--images N] [--minutes M] [--threads N] [--seed S]
           Prove images --rot [--threads N] [--seed S]
           Prove images --replay WORKLOAD

    Without --random, all small workloads and what is always damaged come first. Random workloads
    follow from a seed; the last line of a run says how to go on behind its last one. With --brief,
    one bit of each byte is flipped instead of all eight.

    """

  static func run(_ words: ArraySlice<String>) throws -> Bool {
    let arguments = try Arguments(
      words,
      options: ["--images", "--minutes", "--threads", "--seed", "--first", "--replay"],
      flags: ["--random", "--rot", "--brief"])
    guard let text = arguments["--replay"] else {
      let run = try ImageRun(ImagePlan(arguments))
      run.go()
      return run.report()
    }
    if let (plan, rot) = rot(text) { return try replay(plan, rot) }
    guard let workload = Workload(text) else { throw UsageError("This is no workload: \(text)") }
    return replay(workload)
  }

  /// Parses the text that a failure after damage prints: `rot=flip/0/17 store=1/2/12/7`.
  private static func rot(_ text: String) -> (RotStore.Plan, Rot)? {
    let parts = text.split(separator: " ")
    guard parts.count == 2, parts[0].hasPrefix("rot="), parts[1].hasPrefix("store="),
      let rot = Rot(parts[0].dropFirst(4)), let plan = RotStore.Plan(parts[1].dropFirst(6))
    else { return nil }
    return (plan, rot)
  }

  private static func replay(_ plan: RotStore.Plan, _ rot: Rot) throws -> Bool {
    let store = try RotStore(plan)
    guard rot.fits(store) else { throw UsageError("The store has no such place: \(rot)") }
    var checker = RotChecker(store)
    do {
      try checker.check(rot)
      print("nothing wrong")
      return true
    } catch {
      print("FAILED \(error)")
      return false
    }
  }

  /// Runs one workload and opens all its images, more thoroughly than a run of many workloads.
  private static func replay(_ workload: Workload) -> Bool {
    var effort = Explorer.Effort()
    effort.full = 1
    var explorer = Explorer(effort)
    do {
      let execution = try explorer.explore(workload, keepsLog: true)
      for line in execution.log { print(line) }
      print("\(explorer.counts.distinct) images, nothing wrong")
      return true
    } catch {
      print("FAILED \(error)")
      return false
    }
  }
}
