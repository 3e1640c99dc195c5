export default function build() {}
