/** The fields every framework's form has, and what they hold at first. */

export const TYPES = {
  name: 'text',
  email: 'email',
  bio: 'textarea',
  count: 'number',
  agree: 'checkbox',
  city: 'select',
  date: 'date',
  time: 'time',
  month: 'month',
  week: 'week',
  moment: 'datetime-local',
  color: 'color',
  range: 'range',
}

export const FIRST = {
  name: 'OLD',
  email: '',
  bio: '',
  count: '',
  agree: false,
  city: '',
  date: '',
  time: '',
  month: '',
  week: '',
  moment: '',
  color: '#000000',
  range: '50',
}
