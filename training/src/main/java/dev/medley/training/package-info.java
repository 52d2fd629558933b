/** Under construction. */
package dev.medley.training;
