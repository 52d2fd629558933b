/** Under construction. */
package dev.medley.cli;
