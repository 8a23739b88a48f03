import Foundation
import SampleLog

/// What the symbols of one store stand for in HealthKit's words.
final class StoreContext: Sendable {
  let symbols: SymbolTable
  private let types: SymbolCache<HKSampleType?>
  private let units: SymbolCache<HKUnit?>
  private let revisions: SymbolCache<HKSourceRevision?>
  private let devices: SymbolCache<HKDevice?>

  init(_ symbols: SymbolTable) {
    self.symbols = symbols
    types = SymbolCache(symbols) { name in
      HKObjectType.make(identifier: String(decoding: name, as: UTF8.self)) as? HKSampleType
    }
    units = SymbolCache(symbols) { name in
      HKUnit.named(String(decoding: name, as: UTF8.self))
    }
    revisions = SymbolCache(symbols) { HKSourceRevision(stored: $0) }
    devices = SymbolCache(symbols) { HKDevice(stored: $0) }
  }

  /// The type that a symbol names, `nil` when it names none of HealthKit's.
  func type(_ symbol: Symbol) -> HKSampleType? { types[symbol] }

  /// The unit that a symbol names; none where nothing is named.
  func unit(_ symbol: Symbol) -> HKUnit { symbol == 0 ? .null : units[symbol] ?? .null }

  /// Who recorded a row; an unknown one where nothing is named.
  func sourceRevision(_ symbol: Symbol) -> HKSourceRevision {
    symbol == 0 ? .unknown : revisions[symbol] ?? .unknown
  }

  func device(_ symbol: Symbol) -> HKDevice? { symbol == 0 ? nil : devices[symbol] }

  // Whether what a symbol names makes sense; only another program can have written what does not.

  func hasUnit(_ symbol: Symbol) -> Bool { symbol == 0 || units[symbol] != nil }

  func hasSourceRevision(_ symbol: Symbol) -> Bool {
    symbol == 0 || revisions[symbol] != nil || symbols.name(symbol).isPlainText
  }

  func hasDevice(_ symbol: Symbol) -> Bool {
    symbol == 0 || devices[symbol] != nil || symbols.name(symbol).isPlainText
  }

  /// The symbol of a type.
  func symbol(of type: HKSampleType) -> Symbol { symbols.intern(type.identifier) }
}

extension Collection<UInt8> {
  /// Whether the bytes are text without control characters.
  ///
  /// Programs that use the engine alone may write such for sources, devices and metadata: it is not
  /// HealthKit's, so there are none, but no damage either. Every encoding of this module has
  /// control characters.
  var isPlainText: Bool { !isEmpty && allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}
