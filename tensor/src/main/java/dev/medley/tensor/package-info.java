/** Under construction. */
package dev.medley.tensor;
