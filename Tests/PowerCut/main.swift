import Foundation
import SampleLogSimulation

// Cuts the power of a file system while a writer works on it, mounts it again and checks that
// everything acknowledged is there, as the torture of killed processes does.
//
//     PowerCut CUTS ext4|xfs [SEED]

let words = Array(CommandLine.arguments.dropFirst())
do {
  if words.first == "writer", words.count == 3, let order = TortureOrder(words[1]) {
    try TortureWriter(words[2], order).run()
    exit(0)
  }
  guard words.count >= 2, let cuts = Int(words[0]), ["ext4", "xfs"].contains(words[1]) else {
    print("usage: PowerCut CUTS ext4|xfs [SEED]")
    exit(2)
  }
  let seed = words.count > 2 ? UInt64(words[2]) ?? 1 : 1
  guard try cutPower(cuts, words[1], seed) else { exit(1) }
} catch {
  print("bad: \(error)")
  exit(2)
}

/// Returns whether nothing was lost.
func cutPower(_ cuts: Int, _ kind: String, _ seed: UInt64) throws -> Bool {
  let folder = FileManager.default.temporaryDirectory.path + "/powercut-" + UUID().uuidString
  let disk = try Disk(in: folder, kind: kind)
  defer { disk.remove() }
  guard let program = Bundle.main.executableURL else { return false }
  let ending = TortureRun.Ending(.power) { child in
    // Acknowledgements were read before. A sync that is under way now may return without an
    // error and without the disk: what is acknowledged from here on does not count.
    try disk.cutPower()
    child.end()
    try disk.unmount()
    try disk.mount()
  }
  var run = TortureRun(
    disk.mountPoint + "/store", seed: seed, executable: program, arguments: ["writer"],
    ending: ending)
  run.buffers = true
  run.longest = 600
  let start = Date()
  for cut in 1...cuts {
    let problems = try run.next()
    guard problems.isEmpty else {
      for problem in problems.prefix(20) { print(problem) }
      print("bad: cut \(cut) of \(kind), seed \(seed)")
      return false
    }
  }
  let model = run.model
  print(
    "good: \(cuts) power cuts on \(kind), \(model.doneCount) batches acknowledged, "
      + "\(model.sampleCount) samples, \(model.doubtfulCount) unanswered, "
      + "\(run.sealings) sealings, \(run.compactions) compactions, "
      + "\(run.observations) looks from beside, seed \(seed), "
      + "\(Int(Date().timeIntervalSince(start))) s")
  return true
}
