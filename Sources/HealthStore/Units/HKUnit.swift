public import Foundation

/// A unit of measurement, such as `count/min`.
///
/// Create units with a factory function, by algebra, or from a string:
///
/// ```swift
/// let rate = HKUnit.count().unitDivided(by: .minute())
/// let same = HKUnit(from: "count/min")
/// let unit = try HKUnit.parse(text)  // throws if the text is not a unit
/// ```
///
/// Two units are equal if their ``unitString`` is equal: `HKUnit(from: "ml")` equals `HKUnit(from:
/// "mL")`, but `Cal` and `kcal` differ, although their quantities compare equal. Units are
/// immutable and safe to share between threads.
///
/// Unlike Apple's class, this class is final, so that `Self(from:)` compiles in an extension.
public final class HKUnit: NSObject, NSSecureCoding, NSCopying, Sendable {
  /// The meaning of the unit, shared by all units parsed from the same string.
  package let form: UnitForm

  init(form: UnitForm) {
    self.form = form
    super.init()
  }

  /// Creates a unit from a string such as `mg/dL` or `mmol<180.1558800000541>/L`.
  ///
  /// The grammar, in which a symbol is a unit symbol with an optional prefix or molar mass:
  ///
  ///     unit     = empty | quotient
  ///     empty    = [ "(" empty ")" ]
  ///     quotient = product [ "/" product ]
  ///     product  = power { ( "." | "*" | "·" ) power }
  ///     power    = ( symbol | "1" | "(" quotient ")" ) [ "^" integer ]
  ///
  /// Multiplication has a higher precedence than division, so `kg/m.s^2` is `kg/(m.s^2)`. `(m^2)^2`
  /// is `m^4`, but a group that contains a fraction cannot be raised to a power. Powers must be
  /// from -99 to 99, also after multiplication. A string may have up to 1,024 bytes and 16 nested
  /// groups. The empty string and `()` are the null unit. `mol` without a molar mass converts only
  /// to other moles without one. Parsed strings are cached.
  ///
  /// - Precondition: The string is a valid unit string. If it may not be, use ``parse(_:)``.
  public convenience init(from string: String) {
    do {
      self.init(form: try UnitCache.shared.unit(for: string).form)
    } catch {
      fatalError("\"\(string)\" is not a unit string: \(error)")
    }
  }

  /// Returns the unit for a string, or throws if the string is invalid.
  ///
  /// Parsing takes linear time for any string.
  ///
  /// - Throws: ``HKUnitError`` if the string is not a unit string.
  public static func parse(_ string: String) throws(HKUnitError) -> HKUnit {
    try UnitCache.shared.unit(for: string)
  }

  /// The canonical spelling of the unit, such as `mL/min·kg`.
  ///
  /// A unit without a numerator is a quotient of one, such as `1/s`. The null unit is `()`.
  public var unitString: String { form.string }

  /// Returns whether the unit is the number one, such as a metre divided by a metre.
  public func isNull() -> Bool { form.factors.isEmpty }

  /// Returns the unit for a string, or nil if the string is invalid.
  package static func named(_ name: String) -> HKUnit? {
    do {
      return try parse(name)
    } catch {
      return nil
    }
  }

  /// Decodes an archived unit; returns nil if the archive has no valid unit string.
  public required convenience init?(coder: NSCoder) {
    guard
      coder.containsValue(forKey: "unitString"),
      let string = coder.decodeObject(of: NSString.self, forKey: "unitString"),
      let unit = HKUnit.named(String(describing: string))
    else { return nil }
    self.init(form: unit.form)
  }

  /// Encodes the unit string.
  public func encode(with coder: NSCoder) {
    coder.encode(unitString as NSString, forKey: "unitString")
  }

  /// Whether the class supports secure coding; always true.
  public static var supportsSecureCoding: Bool { true }

  /// Returns the same object, because it is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether the other object is a unit with the same unit string.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKUnit else { return false }
    return form.isSame(as: other.form)
  }

  /// A hash of the unit string.
  public override var hash: Int { form.hash }

  /// The unit string.
  public override var description: String { unitString }
}
