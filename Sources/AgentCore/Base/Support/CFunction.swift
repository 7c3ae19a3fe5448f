import Glibc

/// Functions of the C library that its headers show to C with _GNU_SOURCE, but not to Swift.
package enum CFunction {
    /// - Parameters:
    ///   - name: as the linker knows it.
    ///   - type: that of its header, as a `@convention(c)` function. Nothing checks it, so the
    ///     place that asks says where it is from.
    /// - Returns: nil where this C library does not have it.
    package static func named<Function>(
        _ name: String, as type: Function.Type = Function.self
    ) -> Function? {
        // A pointer to code and a C function value are the same word.
        dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
    }
}
